/** Fragments that mean one thing to a cleaner and another to whoever parses its answer. */
import { expect, it } from "bun:test";
import { JSDOM } from "jsdom";
import { FRAME_ATTRIBUTES, FRAME_ELEMENTS } from "../../../../shared/frames/frame-tables";
import { frameDocument } from "../../../../shared/frames/frame-document";
import { fragmentCleaner } from "./clean-fragment";

const { window } = new JSDOM("");
const clean = fragmentCleaner(window);
const EVIL = "<img src=x onerror=alert(1)>";
const TWO_FACED = [
  `<math><mtext><table><mglyph><style><!--</style>${EVIL}-->`,
  `<math><mtext><table><mglyph><style><math><table id="</table>"><mglyph><style>${EVIL}`,
  `<form><math><mtext></form><form><mglyph><style></math>${EVIL}`,
  `<svg></p><style><a id="</style>${EVIL}">`,
  `<svg><style><!--</style><a id="--!>${EVIL}">`,
  `<svg><desc><noscript><style><a title="</style></noscript>${EVIL}">`,
  `<noscript><p title="</noscript>${EVIL}">`,
  `<template><style></template>${EVIL}</style>`,
  `<svg><foreignObject><p><table><tr><td>${EVIL}</foreignObject>`,
  `<math><annotation-xml encoding="text/html"><style>${EVIL}</style></annotation-xml></math>`,
  `<select><style></select>${EVIL}</style>`,
  `<title><a alt="</title>${EVIL}">`,
  `<xmp><p title="</xmp>${EVIL}">`,
  `<style><p title="</style>${EVIL}">`,
  `<p title="-->&lt;/p&gt;${EVIL.replaceAll("<", "&lt;")}"><!-->${EVIL}-->`,
  `${"<div>".repeat(600)}<table><caption><svg><title><style>${EVIL}</style>`,
];

it.each(TWO_FACED.map((fragment) => [fragment.slice(0, 60), fragment]))(
  "%s holds only what the tables name",
  (_, fragment) => {
    expect(outside(fragment)).not.toEqual([]);
    expect(outside(clean(fragment))).toEqual([]);
  },
);

/** Elements and attributes of a frame with this body that no table names. */
function outside(body: string): string[] {
  const document = new window.DOMParser().parseFromString(frameDocument(body, "light"), "text/html");
  return [...document.body.querySelectorAll("*")].flatMap((element) => [
    ...(FRAME_ELEMENTS.includes(element.localName.toLowerCase()) ? [] : [element.localName]),
    ...element.getAttributeNames().filter((name) => !FRAME_ATTRIBUTES.includes(name.toLowerCase())),
  ]);
}

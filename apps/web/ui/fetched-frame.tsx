/** The frame of a reading page, fetched when it is drawn, with its style and in the server's HTML: for a page that others carry. */
"use client";
import dynamic from "next/dynamic";

export const FetchedFrame = dynamic(() => import("./reading-frame").then(({ ReadingFrame }) => ReadingFrame));

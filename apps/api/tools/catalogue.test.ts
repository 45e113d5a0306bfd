/** The catalogue says what exists, and nothing of what is switched on or configured (§19, S1 to S3). */
import { describe, expect, it } from "bun:test";
import { TOOL_GROUPS, toolCatalogue as shape } from "../../../shared/contracts/catalogue";
import { TOOL_METAS, toolCatalogue } from "./catalogue";
import { TOOL_FACTORIES } from "./registry";

const { tools, resultBodyCharLimit } = toolCatalogue();

describe("the catalogue", () => {
  it("has an entry for every tool that can be registered, and no other (S3)", () => {
    expect(TOOL_METAS.map(({ name }) => name)).toEqual(Object.keys(TOOL_FACTORIES));
    expect(tools.map(({ name }) => name).sort()).toEqual(Object.keys(TOOL_FACTORIES).sort());
  });

  it("goes group by group, in the order of the groups", () => {
    const places = tools.map(({ group }) => TOOL_GROUPS.indexOf(group));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  it("is exactly the contract: nothing is lost or added on its way out", () => {
    expect(shape.strict().parse({ tools, resultBodyCharLimit })).toEqual({ tools, resultBodyCharLimit });
    const fields = ["name", "label", "description", "group", "parameters", "output", "outputNote", "phases"];
    for (const tool of tools) expect(Object.keys(tool).filter((field) => !fields.includes(field))).toEqual([]);
  });

  it("shows parameters as the closed JSON Schema that calls are checked by", () => {
    for (const { name, parameters } of tools) {
      expect([name, parameters.type, parameters.additionalProperties]).toEqual([name, "object", false]);
    }
    expect(tools.find(({ name }) => name === "session_rename")?.parameters).toEqual({
      type: "object",
      required: ["title"],
      properties: { title: { type: "string", minLength: 1, maxLength: 60 } },
      additionalProperties: false,
    });
  });

  it("says in a sentence what comes back", () => {
    expect(tools.filter(({ output }) => !/^[A-Z].*\.$/.test(output))).toEqual([]);
  });

  it("names no field of a configuration, and no state (S2)", () => {
    expect(JSON.stringify(tools)).not.toMatch(/enabled|dangerous|available|apiKey|baseUrl|timeout|provider|https?:/i);
  });
});

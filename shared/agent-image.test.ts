import { describe, expect, it } from "bun:test";
import { AGENT_IMAGE_EXTENSIONS, agentImageAddress, agentImageFile, agentImagePath } from "./agent-image";
import type { PictureType } from "./picture-type";

const ID = "0f8fad5b-d9cb-469f-a165-70867728950e";

describe("the address of a picture", () => {
  it("is taken for one by its own pattern, for each type", () => {
    const addresses = (Object.keys(AGENT_IMAGE_EXTENSIONS) as PictureType[]).map((type) => agentImageAddress(ID, type));
    expect(addresses.map((address) => address.split(".")[1])).toEqual(["png", "jpg", "webp", "gif"]);
    expect(addresses.map((address) => agentImagePath.exec(address)?.[1])).toEqual([ID, ID, ID, ID]);
    expect(addresses.map((address) => agentImageFile.test(address.split("/").at(-1)!))).toEqual(Array(4).fill(true));
  });

  it.each([
    `https://evil.example/api/agent/images/${ID}.png`,
    `//evil.example/api/agent/images/${ID}.png`,
    `/api/agent/images/${ID}.svg`,
    `/api/agent/images/${ID}.png?x=1`,
    `/api/agent/images/${ID}.png#x`,
    `/api/agent/images/${ID}.png\n`,
    ` /api/agent/images/${ID}.png`,
    `/api/agent/images/../${ID}.png`,
    `/api/agent/images/${ID.toUpperCase()}.png`,
    `/api/agent/images/%30${ID.slice(1)}.png`,
    `\\api\\agent\\images\\${ID}.png`,
    "/api/agent/sessions",
    "data:image/png;base64,iVBORw0KGgo=",
  ])("is not %j", (address) => {
    expect(agentImagePath.test(address)).toBe(false);
  });
});

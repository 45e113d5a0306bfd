/** A model server on this machine is pointed out with the one line that connects it, and nothing else is. */
import { afterEach, expect, it } from "bun:test";
import { localModelHint } from "../../cli/local-model.mts";
import { type RudeServer, rudeServer } from "../support/rude-server.mts";

const open: RudeServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});
async function ollama(body: string): Promise<RudeServer> {
  const server = await rudeServer((response) => void response.end(body));
  open.push(server);
  return server;
}

it("names the first model that it has, in a command that can be pasted", async () => {
  const { origin, seen } = await ollama('{"models":[{"name":"llama3.2:3b"},{"name":"other"}]}');
  // A machine that is busy with other tests is no server that is slow.
  expect(await localModelHint(origin, 30_000)).toBe(
    `An Ollama answers here. To use it: ./xray provider add --name ollama --base-url ${origin}/v1 --model llama3.2:3b --allow-host --default`,
  );
  expect(seen.map(({ url }) => url)).toEqual(["/api/tags"]);
});

it.each([
  ["something else that answers", "<html>"],
  ["an Ollama without models", '{"models":[]}'],
  ["an answer of another shape", '{"models":{"name":"x"}}'],
  ["a name that would become a command", '{"models":[{"name":"x; rm -rf ~"},{"name":"$(id)"},{"name":7}]}'],
])("says nothing of %s", async (_case, body) => {
  expect(await localModelHint((await ollama(body)).origin, 30_000)).toBeUndefined();
});

it("says nothing when nobody answers, and does not wait for one who never does", async () => {
  const gone = await ollama("");
  await gone.close();
  expect(await localModelHint(gone.origin)).toBeUndefined();
  const silent = await rudeServer(() => {});
  open.push(silent);
  expect(await localModelHint(silent.origin)).toBeUndefined();
});

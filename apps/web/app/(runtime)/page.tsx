/** Runtime: the conversation and its X-ray. What belongs to the visitor the browser fetches; what is true for all comes with the page. */
import { Runtime } from "../../features/stage/runtime";
import { readStatus } from "../../lib/api";

export default async function RuntimePage() {
  const status = await readStatus();
  return <Runtime demo={status !== "down" && status !== null && status.demo} />;
}

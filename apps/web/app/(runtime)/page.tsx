/** Runtime: the conversation and its X-ray. Everything on it belongs to the visitor, so the browser fetches it. */
import { Runtime } from "../../features/stage/runtime";

export default function RuntimePage() {
  return <Runtime />;
}

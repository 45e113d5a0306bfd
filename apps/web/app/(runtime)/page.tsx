/** Runtime: the conversation and its X-ray. Everything on it belongs to the visitor, so the browser fetches it. */
import { BottomBar } from "../../ui/bottom-bar";
import { TopBar } from "../../ui/top-bar";

export default function RuntimePage() {
  return (
    <>
      <TopBar />
      <BottomBar />
    </>
  );
}

/** The scenes of the demo, in the order in which they are tried. The last one matches everything. */
import { askWhy } from "./ask-why";
import { countWords } from "./count-words";
import { greeting } from "./greeting";
import { anyQuestion, chapterByAddress, libraryIndex } from "./library";
import { lifecycle } from "./lifecycle";
import { missingScript } from "./missing-script";
import { modes } from "./modes";
import { ownSource } from "./own-source";
import { road } from "./road";
import type { Scene } from "./scene";
import { toolsOnHand } from "./tools-on-hand";

export const SCENES: readonly Scene[] = [
  chapterByAddress,
  askWhy,
  greeting,
  missingScript,
  ownSource,
  countWords,
  lifecycle,
  road,
  modes,
  toolsOnHand,
  libraryIndex,
  anyQuestion,
];

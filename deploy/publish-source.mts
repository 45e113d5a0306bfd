/**
 * The program behind `deploy/publish-source`: a step of a release. A site that lacks the tools is one of before this
 * release, so that is told with what to do by hand, and the release goes on.
 */
import { commitName } from "../cli/git-objects.mts";
import { adminSite, MissingTool } from "../cli/mcp-client.mts";
import { pathsOf } from "../cli/paths.mts";
import { refusalText } from "../cli/progress.mts";
import { publishSource } from "../cli/publish-source.mts";
import { Refusal, refusalOf, UsageError } from "../cli/refusal.mts";

const MANUAL_STEPS = `  The site is of a version that cannot take its source yet; nothing was published. Once the new version runs:

    deploy/publish-source COMMIT

  with the commit that was deployed, and XRAY_MCP_URL and XRAY_MCP_TOKEN as they are now.
`;

process.exitCode = await main(process.argv.slice(2));

async function main(words: string[]): Promise<number> {
  try {
    if (words.length > 1 || words[0]?.startsWith("-"))
      throw new UsageError("It takes one word: deploy/publish-source COMMIT");
    const paths = pathsOf();
    const sha = await commitName(paths.root, words[0]);
    if (sha === null) throw new Refusal("This folder is no git repository of its own.", "Run this in a clone.");
    const { files, sent, unchanged } = await publishSource(adminSite(paths), paths.root, sha);
    const said = unchanged ? "was published already" : `is published: ${files} files, ${sent} of them sent`;
    process.stdout.write(`  Commit ${sha.slice(0, 7)} ${said}.\n`);
    return 0;
  } catch (error) {
    if (error instanceof MissingTool) {
      process.stdout.write(MANUAL_STEPS);
      return 0;
    }
    const refusal = refusalOf(error, "publishing the source");
    process.stderr.write(refusalText(refusal));
    return refusal.exitCode;
  }
}

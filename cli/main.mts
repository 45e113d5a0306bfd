/** Entry of the command line: finds the command, reads its words, runs it. Exit 0 done, 1 failed, 2 wrong words. */
import { nearest, readWords } from "./args.mts";
import { COMMANDS, type Command } from "./commands.mts";
import { commandHelp, help } from "./help.mts";
import { refusalText } from "./progress.mts";
import { refusalOf, UsageError } from "./refusal.mts";

// A reader that closes the pipe early (`./xray logs | head`) has what it wanted.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const refusal = refusalOf(error);
  process.stderr.write(refusalText(refusal));
  process.exitCode = refusal.exitCode;
}
// What was written arrives before the end; pools and sockets that are still closing hold nobody up.
for (const out of [process.stdout, process.stderr])
  await new Promise<void>((resolve) => out.write("", () => resolve()));
process.exit();

async function main(argv: string[]): Promise<number> {
  const [first = "help", second] = argv;
  if (first === "help" || first === "--help" || first === "-h") {
    process.stdout.write(second && COMMANDS[second] ? commandHelp(second, COMMANDS[second]) : help(COMMANDS));
    return 0;
  }
  const [name, command, rest] = find(argv, first, second);
  if (rest.includes("--help") || rest.includes("-h")) {
    process.stdout.write(commandHelp(name, command));
    return 0;
  }
  const words = readWords(rest, command.options, command.words?.length ?? 0);
  return await (await command.load()).default(words);
}

/** A command's name is one word or two (`provider add`). */
function find(argv: string[], first: string, second: string | undefined): [string, Command, string[]] {
  const two = COMMANDS[`${first} ${second}`];
  if (two) return [`${first} ${second}`, two, argv.slice(2)];
  const one = COMMANDS[first];
  if (one) return [first, one, argv.slice(1)];

  const family = Object.keys(COMMANDS).filter((name) => name.startsWith(`${first} `));
  if (family.length > 0) {
    const asked =
      argv.includes("--help") || argv.includes("-h") || second === undefined ? "" : `${first} has no "${second}". `;
    throw new UsageError(`${asked}It is one of: ${family.join(", ")}.`, `More: ./xray help`);
  }
  const guess = nearest(first, Object.keys(COMMANDS));
  throw new UsageError(
    `There is no command "${first}".`,
    guess ? `Did you mean ./xray ${guess}?` : "All of them: ./xray help",
  );
}

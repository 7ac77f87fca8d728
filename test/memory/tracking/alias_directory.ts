import type { AliasDirectory, AliasList } from "../../../src/tracking/alias_ports.ts";

export type MemoryAliasDirectory = AliasDirectory & {
  answer: AliasList;
  asked: Parameters<AliasDirectory["list"]>[0][];
};

/** An alias service that gives one answer, and remembers what it was asked. */
export function memoryAliasDirectory(answer: AliasList = { kind: "refused" }): MemoryAliasDirectory {
  const directory: MemoryAliasDirectory = {
    answer,
    asked: [],
    async list(asked) {
      directory.asked.push(asked);
      return directory.answer;
    },
  };
  return directory;
}

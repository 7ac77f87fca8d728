import { type Cell, done, failed, type Piece, table, text } from "./answer.ts";
import { command } from "./command.ts";

const FROM = { default: "default", environment: "environment", file: "a file" } as const;

export const config = command({
  name: "config",
  says: "Show the effective configuration and where each value comes from",
  more: "Secrets are never shown, only whether they are set. It is the configuration of where the command is typed.",
  options: { set: { kind: "flag", says: "only settings that are set, no defaults" } },
  examples: ["config", "config --set", "config --json"],
  room: "none",
  async run({ loaded, settings }, { options }) {
    const listed = options.set ? settings.filter(({ from }) => from !== "default") : settings;
    const rows = listed.map(({ name, value, from }): Cell[] => [
      name,
      value ?? { text: "–", tone: "dim" },
      from === "default" ? { text: FROM[from], tone: "dim" } : FROM[from],
    ]);
    const list = table(["SETTING", "VALUE", "FROM"], rows, "Nothing is set: every setting has its default.");
    if (loaded.ok) return done({ settings: listed, problems: [] }, list);
    const problems = loaded.problems.map((problem): Piece => text(`  - ${problem}`, "bad"));
    const data = { settings: listed, problems: loaded.problems };
    const shown = [list, text(""), text("To fix:"), ...problems];
    return failed("CONFIGURATION", "The server would not start with this configuration", { data, shown });
  },
});

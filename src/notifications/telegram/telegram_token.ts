import type { Mac } from "../../shared/secrets.ts";

/** Telegram's limit for a button's data, in bytes. */
const MAX_DATA = 64;
const TAG_LENGTH = 20;

const ACTIONS = { handle: "h", stop: "s", test: "t" } as const;
export type ButtonAction = keyof typeof ACTIONS;

/** The action of a button under a message: `id` names an alert or a contact, `version` the alert's version at that time. */
export type Button = { action: ButtonAction; id: string; version: number };

function packed(uuid: string): string {
  return Buffer.from(uuid.replaceAll("-", ""), "hex").toString("base64url");
}

function unpacked(text: string): string | undefined {
  const hex = Buffer.from(text, "base64url").toString("hex");
  if (hex.length !== 32) return undefined;
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

/** Signed for one chat, and invalid in any other. */
export function buttonData(mac: Mac, chatId: string, { action, id, version }: Button): string {
  const body = `${ACTIONS[action]}.${packed(id)}.${version.toString(36)}`;
  const data = `${body}.${mac("telegram-button", `${chatId} ${body}`).slice(0, TAG_LENGTH)}`;
  if (data.length > MAX_DATA) throw new Error("Cannot make a button: it would be too long for Telegram");
  return data;
}

/** Verifies a button's data for this chat; undefined if it is invalid. */
export function buttonOf(mac: Mac, chatId: string, data: string): Button | undefined {
  const [letter = "", idText = "", versionText = ""] = data.split(".");
  const action = (Object.keys(ACTIONS) as ButtonAction[]).find((name) => ACTIONS[name] === letter);
  const id = unpacked(idText);
  const version = Number.parseInt(versionText, 36);
  if (!action || id === undefined || !Number.isSafeInteger(version)) return undefined;
  const button = { action, id, version };
  // Comparing the texts themselves would leak through timing how much of a guess is right.
  const isSigned = mac("compare", buttonData(mac, chatId, button)) === mac("compare", data);
  return isSigned ? button : undefined;
}

import { type Failure, type PeerRequest, refusing, startChannelPeer } from "./channel_peer.ts";
import { jsonAnswer, type PeerAnswer } from "./hibp_peer_failures.ts";

export const APP_TOKEN = "azGDORePK8gMaC0QOYAMyEEuzJnyUi";
export const USER_KEY = "uQiRzpo4DXghDmr9QzzfQu27cmVRsG";
const REQUEST = "647d2300-702c-4b38-8b2f-d56326ae460b";
export const RECEIPT = "rLqVuqTRh62UzxtmqiaLzQmVcPgiCy";
/** 1 December 2026, 00:00 US Central. */
export const RESET_AT = 1_796_104_800;

type Receipt = {
  acknowledged: 0 | 1;
  acknowledged_at: number;
  acknowledged_by: string;
  acknowledged_by_device: string;
  last_delivered_at: number;
  expired: 0 | 1;
  expires_at: number;
  called_back: 0 | 1;
  called_back_at: number;
};
const UNSEEN: Receipt = {
  acknowledged: 0,
  acknowledged_at: 0,
  acknowledged_by: "",
  acknowledged_by_device: "",
  last_delivered_at: 0,
  expired: 0,
  expires_at: 0,
  called_back: 0,
  called_back_at: 0,
};

type Fields = Record<string, string>;
export type PushoverMessage = { user: string; title: string; message: string } & Fields;

const refusal = (errors: string[], more: object = {}, status = 400): PeerAnswer =>
  jsonAnswer(status, { ...more, errors, status: 0, request: REQUEST });

/** Rejections specific to Pushover, by name. */
export const PUSHOVER_FAILURES = {
  "400 user invalid": refusing(
    refusal(["user identifier is not a valid user, group, or subscribed user key"], { user: "invalid" }),
  ),
  "400 token invalid": refusing(refusal(["application token is invalid"], { token: "invalid" })),
  "400 message invalid": refusing(refusal(["message cannot be blank"], { message: "cannot be blank" })),
  "200 with status 0": refusing(refusal(["something is wrong"], {}, 200)),
  "429 until the month ends": refusing({
    ...refusal(["message limit reached"], {}, 429),
    headers: {
      "content-type": "application/json; charset=utf-8",
      "x-limit-app-limit": "10000",
      "x-limit-app-remaining": "0",
      "x-limit-app-reset": String(RESET_AT),
    },
  }),
} satisfies Record<string, Failure>;

/** Accepts both encodings. */
function fieldsOf({ headers, body }: PeerRequest): Fields {
  if (headers["content-type"]?.startsWith("application/json")) return JSON.parse(body) as Fields;
  return Object.fromEntries(new URLSearchParams(body));
}

const length = (text = "") => [...text].length;
const isUrl = (text: string) => /^https?:\/\//.test(text);

/** Validates the fields against Pushover's limits; returns the errors. */
function problemsOf({ message = "", title, url, url_title, priority = "0", retry, expire, ttl, device }: Fields) {
  const problems: [field: string, problem: string][] = [];
  const wrong = (isWrong: boolean, field: string, problem: string) => isWrong && problems.push([field, problem]);
  wrong(message === "", "message", "cannot be blank");
  wrong(length(message) > 1024, "message", "is too long");
  wrong(length(title) > 250, "title", "is too long");
  wrong(url !== undefined && (length(url) > 512 || !isUrl(url)), "url", "is invalid");
  wrong(length(url_title) > 100, "url_title", "is too long");
  wrong(!/^(-2|-1|0|1|2)$/.test(priority), "priority", "is invalid");
  wrong(ttl !== undefined && !/^[1-9]\d*$/.test(ttl), "ttl", "must be a positive number");
  wrong(device !== undefined && !/^[\w-]{1,25}(,[\w-]{1,25})*$/.test(device), "device", "is invalid");
  if (priority !== "2") return problems;
  wrong(!(Number(retry) >= 30), "retry", "must be supplied with priority=2");
  wrong(!(Number(expire) > 0 && Number(expire) <= 10_800), "expire", "must be supplied with priority=2");
  wrong(Number(expire) / Number(retry) > 50, "expire", "allows too many retries");
  return problems;
}

/** A fake of Pushover's API on loopback: messages, keys, receipts and limits, with Pushover's rules. */
export async function startPushoverPeer({ secure = false }: { secure?: boolean } = {}) {
  const received: PushoverMessage[] = [];
  const users = new Map<string, string[]>([[USER_KEY, ["phone", "desktop"]]]);
  const receipts = new Map<string, Receipt>();
  const cancelled: string[] = [];
  let limit = 10_000;
  let remaining = 10_000;

  const limits = () => ({
    "x-limit-app-limit": String(limit),
    "x-limit-app-remaining": String(remaining),
    "x-limit-app-reset": String(RESET_AT),
  });

  function take(fields: Fields): PeerAnswer {
    const { user = "" } = fields;
    if (!users.has(user))
      return refusal(["user identifier is not a valid user, group, or subscribed user key"], { user: "invalid" });
    const problems = problemsOf(fields);
    if (problems.length > 0)
      return refusal(
        problems.map(([field, problem]) => `${field} ${problem}`),
        Object.fromEntries(problems),
      );
    if (remaining === 0) return { ...refusal(["message limit reached"], {}, 429), headers: limits() };
    remaining--;
    received.push(fields as PushoverMessage);
    if (fields.priority !== "2") return jsonAnswer(200, { status: 1, request: REQUEST }, limits());
    const receipt = receipts.size === 0 ? RECEIPT : `r${String(receipts.size).padStart(29, "0")}`;
    receipts.set(receipt, { ...UNSEEN, expires_at: Number(fields.expire) });
    return jsonAnswer(200, { status: 1, request: REQUEST, receipt }, limits());
  }

  function validate({ user = "" }: Fields): PeerAnswer {
    const devices = users.get(user) ?? [];
    if (devices.length === 0) return refusal(["user key is invalid or has no active devices"], { user: "invalid" });
    return jsonAnswer(200, { status: 1, group: 0, devices, licenses: ["Android"], request: REQUEST });
  }

  function change(receipt: string, changes: Partial<Receipt>): void {
    const known = receipts.get(receipt);
    if (!known) throw new Error(`There is no receipt ${receipt}`);
    receipts.set(receipt, { ...known, ...changes });
  }

  /** Polling and cancelling a receipt, each with its own method. */
  function ofReceipt({ method }: PeerRequest, path: string): PeerAnswer | undefined {
    const [, receipt, cancels] = /^\/1\/receipts\/(\w+?)(\/cancel)?\.json$/.exec(path) ?? [];
    if (receipt === undefined || method !== (cancels ? "POST" : "GET")) return undefined;
    const known = receipts.get(receipt);
    if (!known) return refusal(["receipt not found; may be invalid or expired"], { receipt: "not found" }, 404);
    if (!cancels) return jsonAnswer(200, { status: 1, ...known, request: REQUEST });
    cancelled.push(receipt);
    change(receipt, { expired: 1 });
    return jsonAnswer(200, { status: 1, request: REQUEST });
  }

  function answer(request: PeerRequest): PeerAnswer {
    const url = new URL(request.path, "http://peer.example");
    const fields = request.method === "POST" ? fieldsOf(request) : Object.fromEntries(url.searchParams);
    if (fields.token !== APP_TOKEN) return refusal(["application token is invalid"], { token: "invalid" });
    const ofOne = ofReceipt(request, url.pathname);
    if (ofOne) return ofOne;
    if (url.pathname === "/1/apps/limits.json")
      return jsonAnswer(200, { limit, remaining, reset: RESET_AT, status: 1, request: REQUEST });
    if (request.method === "POST" && url.pathname === "/1/messages.json") return take(fields);
    if (request.method === "POST" && url.pathname === "/1/users/validate.json") return validate(fields);
    return refusal(["resource not found"], {}, 404);
  }

  const peer = await startChannelPeer({ answer, secure });
  return {
    ...peer,
    /** For `PUSHOVER_BASE_URL`. */
    url: `${peer.url}/1`,
    /** Everything it accepted, even if its response was then lost. */
    received,
    /** Receipts of cancelled emergency messages, one entry per cancellation. */
    cancelled,
    /** The user acknowledges the message at this Unix time. */
    acknowledge: (receipt: string, at: number): void =>
      change(receipt, {
        acknowledged: 1,
        acknowledged_at: at,
        acknowledged_by: USER_KEY,
        acknowledged_by_device: "phone",
      }),
    expire: (receipt: string): void => change(receipt, { expired: 1 }),
    addUser: (key: string, devices: string[]): void => void users.set(key, devices),
    /** Sets how many of the month's messages remain. */
    leave(messages: number, of = limit): void {
      limit = of;
      remaining = messages;
    },
  };
}

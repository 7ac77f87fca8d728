import { KEPT, type StandInMemory } from "../inbox/mailbox_state.ts";

export type PushMessage = {
  id: string;
  at: number;
  title: string;
  message: string;
  priority: number;
  device: string | undefined;
  url: string | undefined;
  urlTitle: string | undefined;
  receipt: string | undefined;
};
/** An emergency; instants in milliseconds. */
export type PushReceipt = { acknowledgedAt: number | undefined; expiresAt: number; isCancelled: boolean };
export type PushoverState = {
  /** The key of the only local user. */
  userKey: string;
  sent: number;
  messages: PushMessage[];
  receipts: Record<string, PushReceipt>;
};
export const noPushover = (): PushoverState => ({ userKey: newKey(), sent: 0, messages: [], receipts: {} });

const DEVICES = ["phone", "desktop"];
/** The monthly quota of free messages. */
const MONTHLY = 10_000;
const SIGNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** In the format of Pushover's keys, tokens and receipts: 30 letters and digits. */
export function newKey(): string {
  return [...crypto.getRandomValues(new Uint32Array(30))].map((number) => SIGNS[number % SIGNS.length]).join("");
}

type Fields = Record<string, string>;
type Said = { status: number; body: Record<string, unknown>; headers?: Record<string, string> };

const refusal = (field: string, says: string, status = 400): Said => ({
  status,
  body: { [field]: "invalid", errors: [says], status: 0 },
});

const length = (text = "") => [...text].length;
const isUrl = (text: string) => /^https?:\/\//.test(text) && length(text) <= 512;

/** The first of Pushover's rules that a message breaks: the field and the error message. */
function problemOf(fields: Fields): [field: string, says: string] | undefined {
  const { message = "", title, url, url_title, priority = "0", retry, expire, ttl, device } = fields;
  if (message === "") return ["message", "message cannot be blank"];
  if (length(message) > 1024) return ["message", "message is too long"];
  if (length(title) > 250) return ["title", "title is too long"];
  if (url !== undefined && !isUrl(url)) return ["url", "url is invalid"];
  if (length(url_title) > 100) return ["url_title", "url_title is too long"];
  if (!/^(-2|-1|0|1|2)$/.test(priority)) return ["priority", "priority is invalid"];
  if (ttl !== undefined && !/^[1-9]\d*$/.test(ttl)) return ["ttl", "ttl must be a positive number"];
  if (device !== undefined && !/^[\w-]{1,25}(,[\w-]{1,25})*$/.test(device)) return ["device", "device is invalid"];
  if (priority !== "2") return undefined;
  if (!(Number(retry) >= 30)) return ["retry", "retry must be supplied with priority=2"];
  if (!(Number(expire) > 0 && Number(expire) <= 10_800)) return ["expire", "expire must be supplied with priority=2"];
  if (Number(expire) / Number(retry) > 50) return ["expire", "expire allows too many retries"];
  return undefined;
}

type Options = { memory: StandInMemory<PushoverState>; token: string; now: () => Date };

/** The part of Pushover's API that the product uses, and the device of its only local user. */
export function pushoverStandIn({ memory, token, now }: Options) {
  const seconds = (at: number | undefined) => (at === undefined ? 0 : Math.floor(at / 1000));

  function limits(sent: number): Record<string, string> {
    const at = now();
    const reset = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1, 6);
    return {
      "X-Limit-App-Limit": String(MONTHLY),
      "X-Limit-App-Remaining": String(Math.max(0, MONTHLY - sent)),
      "X-Limit-App-Reset": String(seconds(reset)),
    };
  }

  function take(fields: Fields): Said {
    const problem = problemOf(fields);
    if (problem) return refusal(...problem);
    return memory.change((state) => {
      if (fields.user !== state.userKey)
        return refusal("user", "user identifier is not a valid user, group, or subscribed user key");
      const at = now().getTime();
      const receipt = fields.priority === "2" ? newKey() : undefined;
      if (receipt !== undefined)
        state.receipts[receipt] = {
          acknowledgedAt: undefined,
          isCancelled: false,
          expiresAt: at + Number(fields.expire) * 1000,
        };
      const { title = "", message = "", priority = "0", device, url, url_title: urlTitle } = fields;
      const id = crypto.randomUUID();
      const added = { id, at, title, message, priority: Number(priority), device, url, urlTitle, receipt };
      state.messages = [added, ...state.messages].slice(0, KEPT);
      state.sent += 1;
      const body = { status: 1, request: id, ...(receipt !== undefined && { receipt }) };
      return { status: 200, body, headers: limits(state.sent) };
    });
  }

  function validate({ user }: Fields): Said {
    const { userKey } = memory.change((state) => ({ userKey: state.userKey }));
    if (user !== userKey) return refusal("user", "user key is invalid or has no active devices");
    return { status: 200, body: { status: 1, group: 0, devices: DEVICES, licenses: ["Android"] } };
  }

  function look(receipt: PushReceipt): Said {
    const { acknowledgedAt, expiresAt, isCancelled } = receipt;
    const isExpired = isCancelled || expiresAt <= now().getTime();
    const seen = { acknowledged: acknowledgedAt === undefined ? 0 : 1, acknowledged_at: seconds(acknowledgedAt) };
    return { status: 200, body: { status: 1, ...seen, expired: isExpired ? 1 : 0, expires_at: seconds(expiresAt) } };
  }

  /** Querying and cancelling a receipt, by different methods. */
  function ofReceipt(path: string, method: string): Said | undefined {
    const [, id = "", cancels] = /^\/1\/receipts\/(\w+)(\/cancel)?\.json$/.exec(path) ?? [];
    if (id === "" || method !== (cancels === undefined ? "GET" : "POST")) return undefined;
    return memory.change((state) => {
      const receipt = state.receipts[id];
      if (!receipt) return refusal("receipt", "receipt not found; may be invalid or expired", 404);
      if (cancels === undefined) return look(receipt);
      receipt.isCancelled = true;
      return { status: 200, body: { status: 1 } };
    });
  }

  async function fieldsOf(request: Request): Promise<Fields> {
    if (request.method === "GET") return Object.fromEntries(new URL(request.url).searchParams);
    return Object.fromEntries(new URLSearchParams(await request.text()));
  }

  function said(path: string, method: string, fields: Fields): Said {
    if (fields.token !== token) return refusal("token", "application token is invalid");
    if (method === "POST" && path === "/1/messages.json") return take(fields);
    if (method === "POST" && path === "/1/users/validate.json") return validate(fields);
    return ofReceipt(path, method) ?? { status: 404, body: { status: 0, errors: ["resource not found"] } };
  }

  return {
    /** Newest message first; the key is generated on first use. */
    look: () => memory.change((state) => structuredClone(state)),

    /** Answers a call of the API, at `/1/…`. */
    async answer(path: string, request: Request): Promise<Response> {
      const { status, body, headers = {} } = said(path, request.method, await fieldsOf(request));
      return Response.json({ request: crypto.randomUUID(), ...body }, { status, headers });
    },

    /** Acknowledges an emergency that still repeats. */
    acknowledge(receipt: string): void {
      const at = now().getTime();
      memory.change(({ receipts }) => {
        const known = receipts[receipt];
        if (known && known.acknowledgedAt === undefined && !known.isCancelled && known.expiresAt > at)
          known.acknowledgedAt = at;
      });
    },
  };
}

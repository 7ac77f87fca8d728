import type { Language } from "../../src/shared/language.ts";
import { type ContactHealth, isApiError } from "../api/api.ts";
import { post } from "../api/call.ts";

/** Whether this browser can receive notifications; `install_first`: on an iPhone or iPad only in the installed app. */
export type PushSupport = "ready" | "denied" | "install_first" | "unsupported";

export function pushSupport(): PushSupport {
  const hasWorker = document.querySelector('meta[name="offline-page"]') !== null;
  if (hasWorker && "serviceWorker" in navigator && "PushManager" in window && "Notification" in window)
    return Notification.permission === "denied" ? "denied" : "ready";
  return "standalone" in navigator && navigator.standalone !== true ? "install_first" : "unsupported";
}

const BROWSERS: [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/(Chrome|CriOS)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];
const SYSTEMS: [RegExp, string][] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "Mac"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];
const nameIn = (names: [RegExp, string][], agent: string) => names.find(([pattern]) => pattern.test(agent))?.[1];

/** The browser's own name, or "Browser". */
export function browserName(agent = navigator.userAgent): string {
  return nameIn(BROWSERS, agent) ?? "Browser";
}

/** A name for this device, such as "Firefox · Linux". */
export function deviceName(agent = navigator.userAgent): string {
  const system = nameIn(SYSTEMS, agent);
  return system === undefined ? browserName(agent) : `${browserName(agent)} · ${system}`;
}

/** Why the browser has not subscribed: its person did not allow it, or its push service could not be reached. */
export class NotSubscribed extends Error {
  readonly reason;
  constructor(reason: "denied" | "dismissed" | "unreachable") {
    super(`Not subscribed: ${reason}`);
    this.reason = reason;
  }
}

async function subscription(manager: PushManager, key: string): Promise<PushSubscription> {
  const options = { userVisibleOnly: true, applicationServerKey: key };
  try {
    return await manager.subscribe(options);
  } catch (error) {
    // A subscription with the key of a former installation at this address.
    if (!(error instanceof DOMException) || error.name !== "InvalidStateError") throw error;
    await (await manager.getSubscription())?.unsubscribe();
    return manager.subscribe(options);
  }
}

type Device = { name: string; contactId?: string; language: Language; everywhere: boolean };

async function connectOnce(manager: PushManager, key: string, device: Device): Promise<ContactHealth> {
  const subscribed = await subscription(manager, key).catch(() => {
    throw new NotSubscribed(Notification.permission === "denied" ? "denied" : "unreachable");
  });
  const { endpoint, keys: { p256dh = "", auth = "" } = {} } = subscribed.toJSON();
  return post("/api/push/devices", { body: { ...device, endpoint: endpoint ?? subscribed.endpoint, p256dh, auth } });
}

/** Asks for permission, subscribes at the browser's push service, and makes this device a contact. */
export async function connectDevice(key: string, device: Device): Promise<ContactHealth> {
  const permission = await Notification.requestPermission();
  if (permission !== "granted") throw new NotSubscribed(permission === "denied" ? "denied" : "dismissed");
  const { pushManager } = await navigator.serviceWorker.ready;
  try {
    return await connectOnce(pushManager, key, device);
  } catch (error) {
    if (!isApiError(error) || error.code !== "PUSH_SUBSCRIPTION_ENDED") throw error;
    await (await pushManager.getSubscription())?.unsubscribe();
    return connectOnce(pushManager, key, device);
  }
}

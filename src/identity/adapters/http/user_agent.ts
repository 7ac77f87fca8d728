import Bowser from "bowser";
import type { Device } from "../../sign_in/device.ts";

const LONGEST_AGENT = 500;
/** Cache size: many clients share few user agents, and parsing one takes as long as several queries. */
const REMEMBERED = 500;
/** For unknown browsers the parser quotes the header, which is arbitrary text that would end up in mails. */
const BROWSERS = new Set(Object.values(Bowser.BROWSER_MAP));
const SYSTEMS = new Set(Object.values(Bowser.OS_MAP));

const known = new Map<string, Device>();

/** Names of the browser and the system; unknown ones are left out. */
export function deviceOf(userAgent: string | undefined): Device {
  if (!userAgent) return {};
  const agent = userAgent.slice(0, LONGEST_AGENT);
  const device = known.get(agent) ?? read(agent);
  if (known.size >= REMEMBERED) known.clear();
  known.set(agent, device);
  return device;
}

function read(agent: string): Device {
  const { browser, os } = Bowser.parse(agent);
  return {
    ...(browser.name && BROWSERS.has(browser.name) && { browser: browser.name }),
    ...(os.name && SYSTEMS.has(os.name) && { system: os.name }),
  };
}

import Bowser from "bowser";
import type { Device } from "../../sign_in/device.ts";

const LONGEST_AGENT = 500;
/** Few words for a crowd of browsers; reading them takes as long as several statements. */
const REMEMBERED = 500;
/** What does not name itself like a browser is quoted by the parser: anybody's words, which would end up in mails. */
const BROWSERS = new Set(Object.values(Bowser.BROWSER_MAP));
const SYSTEMS = new Set(Object.values(Bowser.OS_MAP));

const known = new Map<string, Device>();

/** Browser and system by their names, for a person to recognise; what is not known is left out. */
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

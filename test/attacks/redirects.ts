import { atMost, type Finding } from "../faults/bench.ts";
import { inChromium, type Window } from "./chromium.ts";
import { rawRequest } from "./links.ts";
import { PUBLIC_URL, person, type Target } from "./target.ts";

const TRICKS = [
  ...[
    "//evil.example",
    "/\\evil.example",
    "%5cevil.example",
    "%2f%2fevil.example",
    "/%09/evil.example",
    "https:evil.example",
    "javascript:alert(1)",
  ],
  ...[
    "%0d%0aSet-Cookie:%20x=y",
    "%0aLocation:%20//evil.example",
    "__proto__",
    "..%2f..%2fetc%2fpasswd",
    "%00",
    "%c0%ae%c0%ae/",
    "evil.example%23",
    "@evil.example",
  ],
  ...[
    "%3Cscript%3Ealert(1)%3C/script%3E",
    "%22%3E%3Cimg%20src=x%20onerror=alert(1)%3E",
    "data:text/html,%3Cscript%3Ealert(1)%3C/script%3E",
  ],
];

/** Each in every parameter that might be used as a URL. */
const PATHS = TRICKS.flatMap((trick) => [
  `/${trick}`,
  `/en/${trick}`,
  `/${trick}/login`,
  ...["err", "next", "session_id", "returnTo"].map((name) => `/en/error-page?${name}=${trick}`),
  ...["login?next", "success-order?session_id"].map((place) => `/en/${place}=${trick}`),
  `/api/logos/${trick}`,
  `/u/${trick}`,
]);

/** S34: URLs that lead away, or inject headers. */
export async function openRedirects(target: Target): Promise<Finding[]> {
  let off = 0;
  for (const path of PATHS) {
    const said = await rawRequest(
      target,
      `GET ${path} HTTP/1.1\r\nHost: breachbell.example\r\nConnection: close\r\n\r\n`,
    );
    const head = said.split("\r\n\r\n")[0] ?? "";
    const location = /^location: (.*)$/im.exec(head)?.[1];
    const isAway = location !== undefined && new URL(location, PUBLIC_URL).origin !== PUBLIC_URL;
    const isWritten = /^(set-cookie: x=y|location: \/\/evil)/im.test(head);
    if (isAway || isWritten || /^HTTP\/1\.1 5/.test(head)) {
      off += 1;
      console.error(`S34: ${path}: ${head.slice(0, 200)}`);
    }
  }
  return [atMost("S34", `redirects away, written headers and errors, of ${PATHS.length} tricks`, off, 0)];
}

/** Unintended effects of a URL in a window. */
async function madeOf(window: Window, path: string): Promise<string[]> {
  const from = window.wrong.length;
  try {
    await window.open(PUBLIC_URL + path);
  } catch (error) {
    return [`${path}: not reached: ${error}`];
  }
  const led = await window.page.$$eval("a[href], form[action], iframe[src]", (elements) =>
    elements
      .map(
        (element) =>
          element.getAttribute("href") ?? element.getAttribute("action") ?? element.getAttribute("src") ?? "",
      )
      .filter((address) => /evil\.example|^(javascript|data):/i.test(address) && !address.startsWith("/")),
  );
  return [...window.wrong.slice(from), ...led.map((address) => `offers ${address}`)].map((text) => `${path}: ${text}`);
}

/** S34 in a browser, with and without a session: no URL leads away, opens a dialog or runs a script. */
export const openedAddresses = (): Promise<Finding[]> =>
  inChromium(async (chromium) => {
    const alice = await person(chromium.target, "s34@example.net");
    const windows = [await chromium.window(), await chromium.window(alice.cookies)];
    const found = await Promise.all(
      windows.map(async (window) => {
        const made: string[] = [];
        for (const path of PATHS) made.push(...(await madeOf(window, path)));
        return made;
      }),
    );
    for (const text of [...found.flat(), ...chromium.elsewhere]) console.error(`S34: ${text}`);
    return [
      atMost(
        "S34",
        `dialogs, scripts and ways out of ${PATHS.length} addresses in two browsers`,
        found.flat().length,
        0,
      ),
      atMost("S34", "requests of these browsers to anybody else", chromium.elsewhere.length, 0),
    ];
  });

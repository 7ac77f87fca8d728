/**
 * Topics that are loaded together. The texts and errors of the login are in the first file, with the app.
 */
const TEXTS = {
  more: ["ui", "errors", "sources"],
  home: ["tracking", "billing", "figures", "data_groups"],
  breach: ["alerts", "data_classes", "seriousness", "handling", "flags", "monitoring"],
  // Long texts, needed only on the pages of an alert or an address.
  advice: ["advice", "together"],
  letters: ["letters"],
  domains: ["domains"],
  letter: ["letter"],
  aliases: ["aliases"],
  account: ["profile", "api_tokens", "acceptance", "contacts", "drill", "support"],
  staff: ["staff", "incidents"],
  legal: ["terms", "privacy"],
  open: ["consent", "service_status", "developers"],
};

/** Creates one chunk per language and group of topics. */
function languageChunk(id: string): string | null {
  const [, language, topic = "", part] = /\/locales\/(\w+)\/(\w+)\.json(\?\w+)?$/.exec(id) ?? [];
  if (language === undefined) return null;
  // Needed in any language, independent of the page's.
  if (part === "?invitation") return `invitation-texts-${language}`;
  if (part === "?registration") return `registration-texts-${language}`;
  if (part !== undefined) return `texts-${language}`;
  const group = Object.entries(TEXTS).find(([, topics]) => topics.includes(topic));
  return group ? `${group[0]}-texts-${language}` : null;
}

// The first chunk contains the first screen and the login, as these are what a visitor loads first. The second has the
// signed-in frame and the dashboard, which follow a login; other pages load it for what they share with the dashboard.
// A group includes its dependencies, unless a group of higher priority has them.
export const CHUNKS = [
  { name: languageChunk, debugName: "texts", priority: 5 },
  { name: "initial", tags: ["$initial" as const], priority: 4 },
  { name: "home", test: /\/web\/(app\/signed_in_frame|tracking\/dashboard)\.tsx$/, priority: 3 },
  { name: "overlays", test: /\/web\/ui\/dialog\/overlays\.ts$/, priority: 2 },
  // A lower count would bring in a tooltip, and with it the overlays.
  { name: "shared", test: /\/(web|src)\/.*\.tsx?$/, minShareCount: 6, priority: 1 },
];

/** Texts that are read together; the words of the ways in and of failures come first, with the app. */
const TEXTS = {
  more: ["ui", "sources"],
  home: ["tracking", "billing", "figures", "data_groups"],
  breach: ["alerts", "data_classes", "seriousness", "handling", "flags", "monitoring"],
  // Much to read, and only where somebody opens an alert or an address.
  advice: ["advice", "together"],
  account: ["profile", "api_tokens", "acceptance", "contacts", "drill", "support"],
  staff: ["staff", "incidents"],
  legal: ["terms", "privacy"],
  open: ["consent", "service_status", "developers"],
};

/** One chunk per language and group of topics. */
function languageChunk(id: string): string | null {
  const [, language, topic = "", part] = /\/locales\/(\w+)\/(\w+)\.json(\?\w+)?$/.exec(id) ?? [];
  if (language === undefined) return null;
  if (topic === "errors" || part !== undefined) return `texts-${language}`;
  const group = Object.entries(TEXTS).find(([, topics]) => topics.includes(topic));
  return group ? `${group[0]}-texts-${language}` : null;
}

// What the first screen needs is one file, and the login comes with it: a stranger's first, and small. A group takes its
// dependencies along. What a login leads to is one more: the frame of signed-in people with the dashboard. What floats (menus,
// tooltips) is heavy and is fetched only where something does; what other screens share are a few files, as each has its price.
export const CHUNKS = [
  { name: languageChunk, debugName: "texts", priority: 4 },
  { name: "initial", tags: ["$initial" as const], priority: 3 },
  { name: "home", test: /\/web\/(signed_in_frame|tracking\/dashboard)\.tsx$/, priority: 2.5 },
  { name: "overlays", test: /\/web\/ui\/overlays\.ts$/, priority: 2.2 },
  { name: "floating", test: /node_modules\/(@floating-ui|tabbable)\//, priority: 2 },
  {
    name: "shared",
    test: /\.(m?js|tsx?)$/,
    minShareCount: 2,
    entriesAware: true,
    entriesAwareMergeThreshold: 20_000,
    priority: 1,
  },
];

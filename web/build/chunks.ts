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

/** Large modules that only some pages need: overlays, and the parts of certain forms. */
const HEAVY = [
  ...["Combobox", "Select", "Popover", "[Ff]loating", "ScrollArea", "Modal(?!/?(Modal)?Stack)", "Overlay", "Portal"],
  ...["focus-trap", "focus-return", "scope-tab", "tabbable", "long-press"],
  ...["Textarea", "valibot", "inputs\\.ts", "password_question", "staff", "copy_field", "channel_icon"],
];

// The first chunk contains the first screen and the login, as these are what a visitor loads first. A group includes
// its dependencies. A second chunk has what most screens share; the signed-in frame and the dashboard, which follow a
// login, form another. Public pages and dialogs do not need that one, so code shared with it is split off.
export const CHUNKS = [
  { name: languageChunk, debugName: "texts", priority: 6 },
  { name: "initial", tags: ["$initial" as const], priority: 5 },
  { name: "more", test: /\/web\/styles\/mantine_more\.css$/, priority: 5 },
  { name: "common", test: new RegExp(`^(?!.*(${HEAVY.join("|")})).*\\.(m?js|tsx?)$`), minShareCount: 5, priority: 4 },
  { name: "home", test: /\/web\/(app\/signed_in_frame|tracking\/dashboard)\.tsx$/, priority: 3 },
  { name: "floating", test: /node_modules\/(@floating-ui|tabbable)\//, priority: 2 },
  { name: "overlays", test: /\/web\/ui\/dialog\/overlays\.ts$/, priority: 4 },
  { name: "inputs", test: /node_modules\/valibot\/|\/src\/identity\/(\w+\/)?(\w+_)?inputs\.ts$/, priority: 2 },
  { name: "choices", test: /node_modules\/@mantine\/core\/.*\/(Select|Combobox|Popover)\//, priority: 2 },
  { name: "shared", test: /\.(m?js|tsx?)$/, minShareCount: 5, priority: 1 },
];

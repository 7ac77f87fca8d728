import type { DataGroup } from "../../src/shared/data_groups.ts";

export const CIRCLE = "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18";
export const CARD = "M3 5h18v14H3z";
export const SLIP = "M3 6h18v12H3z";
export const HEART = "M12 20 4.6 12.6a4.7 4.7 0 0 1 6.6-6.7l.8.8.8-.8a4.7 4.7 0 0 1 6.6 6.7z";

/** Strokes on a 24 × 24 grid, by group. */
export const GROUP_PATHS: Record<DataGroup, string> = {
  // A key.
  sign_in: "M8 11a4 4 0 1 0 0 8 4 4 0 0 0 0-8M11 12l9-9M16 7l3 3",
  // A banknote.
  money: `${SLIP}M12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5M6 12h.01M18 12h.01`,
  // A card with a portrait.
  identity: `${CARD}M8.5 8.5a2 2 0 1 0 0 4 2 2 0 0 0 0-4M5.5 16c.5-1.5 1.5-2.2 3-2.2s2.5.7 3 2.2M14.5 10h3.5M14.5 14h3.5`,
  // A heart with its beat.
  health: `${HEART}M7 12h2.5l1.5-3 2 5 1.2-2H17`,
  // A closed eye.
  private_life: "M3 10c2 3.5 5.2 5.5 9 5.5s7-2 9-5.5M5.5 13 4 15.5M9.5 15.2 9 18M14.5 15.2l.5 2.8M18.5 13l1.5 2.5",
  // An address book.
  contact:
    "M6 3h13v18H6zM4 7.5h4M4 12h4M4 16.5h4M13 8a2 2 0 1 0 0 4 2 2 0 0 0 0-4M10 16c.5-1.5 1.5-2.2 3-2.2s2.5.7 3 2.2",
  // A pin.
  location:
    "M12 21c4-4.5 6.5-7.8 6.5-11a6.5 6.5 0 1 0-13 0c0 3.2 2.5 6.5 6.5 11M12 7.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5",
  // Head and shoulders.
  person: "M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8M4.5 20c1-4 3.7-6 7.5-6s6.5 2 7.5 6",
  // A briefcase.
  work: "M3 8h18v11H3zM8.5 8V5h7v3M3 13h18M12 12v2",
  // A laptop.
  device: "M5 5h14v10H5zM2 19h20",
  // A bag.
  customer: "M5 8h14l1 12H4zM8.5 10.5V7a3.5 3.5 0 0 1 7 0v3.5",
  // A question mark.
  other: `${CIRCLE}M9.5 9.5a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1.9-1.1 1.8M12 16.8h.01`,
};

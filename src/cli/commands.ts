import { backup, restore, restored } from "./backup.ts";
import { catalogue } from "./catalogue.ts";
import { channels } from "./channels.ts";
import type { AnyCommand } from "./command.ts";
import { completionOf } from "./completion.ts";
import { config } from "./config.ts";
import { deliveries } from "./deliveries.ts";
import { doctor } from "./doctor.ts";
import { events } from "./events.ts";
import { help } from "./help.ts";
import { importing } from "./import.ts";
import { maintenance } from "./maintenance.ts";
import { migrate } from "./migrate.ts";
import { scan } from "./scan.ts";
import { users } from "./users.ts";
import { version } from "./version.ts";

const GROUPS: Record<string, AnyCommand[]> = {
  "Look:": [doctor, config, events, version, help, completionOf(() => COMMANDS)],
  "People:": users,
  "Breaches:": [...scan, ...catalogue, importing],
  "Messages:": [...deliveries, ...channels],
  "Running it:": [...maintenance, ...migrate, ...backup, restore, restored],
};

/** In the order of the help. */
export const COMMANDS: AnyCommand[] = Object.entries(GROUPS).flatMap(([group, commands]) =>
  commands.map((one) => ({ ...one, group })),
);

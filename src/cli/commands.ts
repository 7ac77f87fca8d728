import { backup, restore, restored } from "./backup.ts";
import { catalogue } from "./catalogue.ts";
import { channels } from "./channels.ts";
import type { AnyCommand } from "./command.ts";
import { completionOf } from "./completion.ts";
import { config } from "./config.ts";
import { deliveries } from "./deliveries.ts";
import { doctor } from "./doctor.ts";
import { help } from "./help.ts";
import { importing } from "./import.ts";
import { maintenance } from "./maintenance.ts";
import { migrate } from "./migrate.ts";
import { scan } from "./scan.ts";
import { users } from "./users.ts";
import { version } from "./version.ts";

export const COMMANDS: AnyCommand[] = [
  doctor,
  config,
  version,
  help,
  ...users,
  ...scan,
  ...catalogue,
  importing,
  ...deliveries,
  ...channels,
  ...maintenance,
  ...migrate,
  ...backup,
  restore,
  restored,
  completionOf(() => COMMANDS),
];

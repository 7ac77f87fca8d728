import { IconEyeOff, IconFlame } from "@tabler/icons-react";
import { isDrill } from "../../src/shared/breach.ts";
import type { Breach } from "../api/api.ts";
import { BreachLogo } from "../shared/breach_logo.tsx";
import classes from "./breach_tile.module.css";

/** The service's logo or initials, a flame for a drill, or a closed eye for undisclosed details. */
export function BreachTile({ breach, large = false }: { breach: Breach | null; large?: boolean }) {
  if (breach && !isDrill(breach)) return <BreachLogo {...breach} large={large} />;
  const Mark = breach ? IconFlame : IconEyeOff;
  return (
    <span className={classes.closed} data-large={large || undefined}>
      <Mark size={large ? 26 : 19} stroke={1.75} aria-hidden="true" />
    </span>
  );
}

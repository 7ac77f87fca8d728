import { useState } from "react";
import { InitialTile } from "../ui/display/initial_tile.tsx";
import classes from "./breach_logo.module.css";

type Props = {
  /** The breach's stable identifier: it decides the tile's colour, as titles change. */
  name: string;
  title: string;
  /** A path at our own origin, or null where no picture is kept. */
  logo: string | null;
  large?: boolean;
};

/** A service's picture, or its initial; both take the same room, and neither says what the name beside it does not. */
export function BreachLogo({ name, title, logo, large = false }: Props) {
  const [broken, setBroken] = useState<string>();
  if (logo === null || logo === broken) return <InitialTile name={name} title={title} large={large} />;
  const size = large ? 52 : 36;
  return (
    <span className={classes.frame} data-large={large || undefined}>
      <img
        src={logo}
        alt=""
        width={size}
        height={size}
        loading="lazy"
        decoding="async"
        onError={() => setBroken(logo)}
      />
    </span>
  );
}

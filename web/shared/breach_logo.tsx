import { useState } from "react";
import { InitialTile } from "../ui/display/initial_tile.tsx";
import classes from "./breach_logo.module.css";

type Props = {
  /** The breach's stable identifier, which determines the tile's colour; titles may change. */
  name: string;
  title: string;
  /** A path on our own origin; null where no logo is stored. */
  logo: string | null;
  large?: boolean;
};

/** A service's logo, or a tile with its initials, in the same size. Decorative: the name is next to it. */
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

import { Anchor } from "@mantine/core";
import { IconClockBolt, IconLanguage, IconShieldSearch } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Link, useLocation } from "react-router";
import { PRODUCT } from "../../../src/shared/product.ts";
import { TERMS_PATHS } from "../../../src/shared/terms.ts";
import { useText } from "../../app/i18n.tsx";
import { splitPath } from "../../app/language.ts";
import type { TextId } from "../../app/text_id.ts";
import { LanguagePicker } from "./language_picker.tsx";
import { Logo } from "./logo.tsx";
import classes from "./public_frame.module.css";
import { ThemePicker } from "./theme_picker.tsx";

/** Sign-in pages show a description of the product beside the form. */
const ENTRANCES = /^\/(login|register|verify-code|forgot-password|reset-password|confirm-email|sign-in\/[^/]+)$/;

const PROMISES = [
  { icon: IconShieldSearch, label: "promise.watch" },
  { icon: IconClockBolt, label: "promise.at_once" },
  { icon: IconLanguage, label: "promise.plain" },
] as const satisfies { icon: unknown; label: TextId }[];

/** The frame of signed-out users. */
export function PublicFrame({ children }: { children: ReactNode }) {
  const entrance = ENTRANCES.test(splitPath(useLocation().pathname).rest);
  const text = useText();
  return (
    <div className={classes.frame} data-frame="public" data-entrance={entrance || undefined}>
      {entrance && <Promises />}
      <div className={classes.side}>
        <header className={classes.header}>
          <Link to="login" className={classes.brand}>
            <Logo size={30} />
            {PRODUCT}
          </Link>
          {/* In a prerendered document they are inert until hydration. */}
          <div className={classes.pickers} data-waits="true">
            <LanguagePicker />
            <ThemePicker />
          </div>
        </header>
        <main className={classes.main} tabIndex={-1}>
          {children}
        </main>
        <footer className={classes.footer}>
          <Anchor component={Link} to={TERMS_PATHS.terms} size="sm">
            {text("frame.terms")}
          </Anchor>
          <Anchor component={Link} to={TERMS_PATHS.privacy} size="sm">
            {text("privacy.title")}
          </Anchor>
        </footer>
      </div>
    </div>
  );
}

function Promises() {
  const text = useText();
  return (
    <aside className={classes.promises} aria-label={text("promise.label")}>
      <svg className={classes.waves} viewBox="0 0 400 400" fill="none" stroke="currentColor" aria-hidden="true">
        {[60, 105, 150, 195, 240, 285].map((radius) => (
          <circle key={radius} cx="200" cy="200" r={radius} />
        ))}
      </svg>
      <p className={classes.claim}>{text("promise.claim")}</p>
      <ul>
        {PROMISES.map(({ icon: Mark, label }) => (
          <li key={label}>
            <Mark size={22} stroke={1.75} aria-hidden="true" />
            {text(label)}
          </li>
        ))}
      </ul>
    </aside>
  );
}

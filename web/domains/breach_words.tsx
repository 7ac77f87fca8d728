import type { ReactNode } from "react";
import type { BreachFacts } from "../../src/shared/breach.ts";
import { Flags } from "../shared/breach_flags.tsx";
import { BreachLogo } from "../shared/breach_logo.tsx";
import { DataClasses } from "../shared/data_classes.tsx";
import { Address } from "../ui/display/address.tsx";
import { Day } from "../ui/display/dates.tsx";
import classes from "./domains.module.css";

/** A breach: the service, when it happened, and the kinds of stolen data. */
export function BreachWords({ breach, children }: { breach: BreachFacts; children?: ReactNode }) {
  const { title, domain, breachDate, dataClasses, flags } = breach;
  return (
    <div className={classes.breach}>
      <BreachLogo {...breach} />
      <div>
        <strong className="breakable">{title}</strong>
        <span className={classes.soft}>
          {domain !== "" && (
            <>
              <Address>{domain}</Address>
              {" · "}
            </>
          )}
          <Day iso={breachDate} />
        </span>
        <DataClasses labels={dataClasses} />
        {children}
      </div>
      <Flags flags={flags} />
    </div>
  );
}

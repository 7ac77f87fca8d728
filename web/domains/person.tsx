import { Button, Text, Title } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { PRODUCT } from "../../src/shared/product.ts";
import { shownDomain } from "../../src/shared/shown_address.ts";
import type { PersonView, Say } from "../api/domains_api.ts";
import { useText } from "../app/i18n.tsx";
import { SourceNote } from "../shared/source_note.tsx";
import { useFormatDate } from "../ui/display/format_date.ts";
import { ChoiceCards } from "../ui/form/choice_cards.tsx";
import { PageHead } from "../ui/frame/page_head.tsx";
import { FindingParts } from "./finding_parts.tsx";
import classes from "./person.module.css";

const SAYS = ["standard", "all", "nothing"] as const satisfies readonly Say[];

type Props = { view: PersonView; pending: boolean; onAnswer: (say: Say) => void };

/** For the person behind an address: who administers its domain, what was found, and the choice of what they see. */
export function Person({ view, pending, onAnswer }: Props) {
  const text = useText();
  const { address, domain, administrators, say, breaches, sites, looks } = view;
  return (
    <>
      <PageHead title={text("domain_notice.heading", { address })}>
        {text("domain_notice.lead", { domain: shownDomain(domain), product: PRODUCT })}
      </PageHead>
      <div className={classes.sections}>
        <section>
          <Title order={2} size="h3">
            {text("domain_notice.who", { domain: shownDomain(domain) })}
          </Title>
          <ul className={classes.list}>
            {administrators.map(({ name, email }) => (
              <li key={email} dir="auto">
                {name} ({email})
              </li>
            ))}
          </ul>
          <Text>{text(`domain_notice.sees.${say}`)}</Text>
        </section>
        <Choice view={view} pending={pending} onAnswer={onAnswer} />
        <section>
          <Title order={2} size="h3">
            {text("domain_notice.found")}
          </Title>
          <Text mb="md">{text("domain_notice.found_text")}</Text>
          <FindingParts breaches={breaches} sites={sites} />
          {breaches.length + sites.length === 0 && <Text c="dimmed">{text("domain_notice.nothing_found")}</Text>}
          <SourceNote shown={breaches.map((breach) => ({ breach, sources: [] }))} />
        </section>
        <Looks looks={looks} />
      </div>
    </>
  );
}

function Choice({ view: { say, taken }, pending, onAnswer }: Props) {
  const text = useText();
  const [chosen, setChosen] = useState(say);
  function submit(event: FormEvent) {
    event.preventDefault();
    onAnswer(chosen);
  }
  return (
    <section>
      <form onSubmit={submit} className={classes.form}>
        <ChoiceCards
          legend={text("domain_notice.choice")}
          options={SAYS.map((value) => ({
            value,
            title: text(`domain_notice.say.${value}`),
            hint: text(`domain_notice.say.${value}_text`),
          }))}
          value={chosen}
          onChange={setChosen}
        />
        <Text c="dimmed" size="sm">
          {text(taken ? "domain_notice.taken" : "domain_notice.takes")}
        </Text>
        <div>
          <Button type="submit" loading={pending}>
            {text("domain_notice.save")}
          </Button>
        </div>
      </form>
    </section>
  );
}

/** When administrators looked at the list, at this address, or exported it. */
function Looks({ looks }: Pick<PersonView, "looks">) {
  const text = useText();
  const formatDate = useFormatDate();
  return (
    <section>
      <Title order={2} size="h3">
        {text("domain_notice.looks")}
      </Title>
      {looks.length === 0 ? (
        <Text c="dimmed">{text("domain_notice.no_looks")}</Text>
      ) : (
        <ul className={classes.list}>
          {looks.map(({ at, what, by }) => (
            <li key={`${at}${what}${by?.email}`}>
              <time dateTime={at}>{formatDate(at, { dateStyle: "medium", timeStyle: "short" })}</time>{" "}
              {text(`domain_notice.look.${what}`, { name: by?.name ?? text("domain_notice.former") })}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

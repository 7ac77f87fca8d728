import { Title } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useErrorText, useText } from "../app/i18n.tsx";
import type { ErrorTextId } from "../app/text_id.ts";
import { Badge } from "../ui/display/badge.tsx";
import classes from "./developers.module.css";
import { type ApiDocument, accessOf, type Call, resolved } from "./document.ts";
import { Fields, Parameters } from "./fields.tsx";
import { Marked } from "./marked.tsx";
import { Samples } from "./samples.tsx";

type Props = { call: Call; document: ApiDocument };

/** One operation: a line that expands to its details. */
export function OperationEntry({ call, document }: Props) {
  const [opened, setOpened] = useState(false);
  const { method, path, summary } = call;
  return (
    <li>
      <details className={classes.call} onToggle={({ currentTarget }) => setOpened(currentTarget.open)}>
        <summary lang="en">
          <span className={classes.method} data-method={method}>
            {method}
          </span>
          <code className={classes.path}>{path}</code>
          <span className={classes.summary}>{summary}</span>
        </summary>
        {opened && <Details call={call} document={document} />}
      </details>
    </li>
  );
}

function Details({ call, document }: Props) {
  const text = useText();
  const { description, parameters = [], requestBody, responses } = call;
  const body = resolved(requestBody?.content["application/json"]?.schema, document);
  const failures = Object.entries(responses).filter(([code]) => /^[45]\d\d$/.test(code));
  return (
    <div className={classes.details}>
      <div lang="en">
        <Marked text={description} />
      </div>
      <Part title={text("developers.who")}>
        <Who call={call} />
      </Part>
      {parameters.length > 0 && (
        <Part title={text("developers.parameters")}>
          <Parameters parameters={parameters} />
        </Part>
      )}
      {body && (
        <Part title={text("developers.body")}>
          <Fields schema={body} sent />
        </Part>
      )}
      <Success call={call} document={document} />
      {failures.length > 0 && (
        <Part title={text("developers.failures")}>
          <Failures failures={failures} />
        </Part>
      )}
      {call["x-codeSamples"] && (
        <Part title={text("developers.examples")}>
          <Samples samples={call["x-codeSamples"]} />
        </Part>
      )}
    </div>
  );
}

function Success({ call, document }: Props) {
  const text = useText();
  const [status, success] = Object.entries(call.responses).find(([code]) => code.startsWith("2")) ?? [];
  if (!success) return null;
  const [content] = Object.values(success.content ?? {});
  const answer = resolved(content?.schema, document);
  return (
    <Part
      title={
        <>
          {text("developers.answer")} <code>{status}</code>
        </>
      }
    >
      {answer ? (
        <Fields schema={answer} />
      ) : (
        <p lang="en" className={classes.soft}>
          {success.description}
        </p>
      )}
    </Part>
  );
}

function Part({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <div className={classes.part}>
      <Title order={3}>{title}</Title>
      {children}
    </div>
  );
}

function Who({ call }: { call: Call }) {
  const text = useText();
  const access = accessOf(call);
  if (access.kind === "token")
    return <p className={classes.plain}>{text("developers.token", { scope: access.scope })}</p>;
  return <p className={classes.plain}>{text(`developers.${access.kind}`)}</p>;
}

/** The messages are those that the website shows, in its language. */
function Failures({ failures }: { failures: [string, Call["responses"][string]][] }) {
  const errorText = useErrorText();
  return (
    <ul className={classes.fields}>
      {failures.flatMap(([status, { content }]) =>
        Object.keys(content?.["application/json"]?.examples ?? {}).map((code) => (
          <li key={code}>
            <Badge tone="quiet">{status}</Badge> <code>{code}</code>
            <p>{errorText(code as ErrorTextId)}</p>
          </li>
        )),
      )}
    </ul>
  );
}

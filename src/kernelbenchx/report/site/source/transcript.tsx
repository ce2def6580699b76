/** What a model was asked for a submission and what it said, word by word. */
import { count, counted, number, words } from "./formats";
import { Loaded } from "./loaded";

interface Message {
  role: string;
  content: string;
}

interface Usage {
  prompt: number;
  completion: number;
  cached: number;
  estimated: boolean;
}

interface Exchange {
  key: string;
  step: string;
  request: { model: string; messages: Message[]; temperature: number | null; max_tokens: number; seed: number | null };
  reply: {
    text: string; finish: string; usage: Usage; model: string; version: string;
    reasoning: string; detail: string; seconds: number; tries: number;
  };
  cost: number | null;
  templates: Record<string, string>;
}

/** A file of transcripts: those of some submissions, and where the others of its chunk are. */
interface File {
  of: Record<string, Exchange[]>;
  elsewhere: Record<string, string>;
}

interface Props {
  chunk: number;
  id: string;
}

export function Transcript({ chunk, id }: Props) {
  return (
    <Loaded name={`transcripts/${chunk}`} key={id}>
      {(first: File) => {
        const other = first.elsewhere[id];
        if (!other) return <Said exchanges={first.of[id] ?? []} />;
        return <Loaded name={other}>{(file: File) => <Said exchanges={file.of[id] ?? []} />}</Loaded>;
      }}
    </Loaded>
  );
}

function total(exchanges: Exchange[]): string {
  const tokens = exchanges.reduce((sum, { reply: { usage } }) => sum + usage.prompt + usage.completion, 0);
  const costs = exchanges.map((one) => one.cost);
  const dollars = costs.every((one) => one !== null) ? costs.reduce((sum, one) => sum + (one ?? 0), 0) : null;
  return `${counted(exchanges.length, "request")}, ${counted(tokens, "token")}${dollars === null ? "" : `, ${number(dollars)} dollars`}.`;
}

function Said({ exchanges }: { exchanges: Exchange[] }) {
  if (!exchanges.length) return null;
  return (
    <section class="said">
      <h2>Transcript</h2>
      <p class="says">{total(exchanges)}</p>
      {exchanges.map((one) => <One exchange={one} key={one.key} />)}
    </section>
  );
}

function One({ exchange }: { exchange: Exchange }) {
  const { request, reply } = exchange;
  return (
    <section>
      <h3>{exchange.step}</h3>
      <Facts exchange={exchange} />
      {request.messages.map(({ role, content }) => <Text title={`${role}`} text={content} />)}
      {reply.reasoning && <Text title="thoughts" text={reply.reasoning} />}
      <Text title="reply" text={reply.text || reply.detail} open />
    </section>
  );
}

function Text({ title, text, open = false }: { title: string; text: string; open?: boolean }) {
  return (
    <details open={open}>
      <summary>{title}, {counted(text.length, "character")}</summary>
      <pre tabIndex={0} role="region" aria-label={title}>{text}</pre>
    </details>
  );
}

function Facts({ exchange }: { exchange: Exchange }) {
  const { request, reply, cost, templates } = exchange;
  const { usage } = reply;
  const asked = [
    `at most ${count(request.max_tokens)} tokens`,
    request.temperature === null ? "" : `temperature ${request.temperature}`,
    request.seed === null ? "" : `seed ${request.seed}`,
  ];
  const facts: [string, string][] = [
    ["model", [request.model, reply.model !== request.model ? reply.model : "", reply.version].filter(Boolean).join(", ")],
    ["asked for", asked.filter(Boolean).join(", ")],
    ["ended", `${words(reply.finish)}${reply.text && reply.detail ? `: ${reply.detail}` : ""}, ${number(reply.seconds)} s, ${counted(reply.tries, "try", "tries")}`],
    ["tokens", `${count(usage.prompt)} of the prompt (${count(usage.cached)} cached), ${count(usage.completion)} of the reply${usage.estimated ? ", at most: the server did not count" : ""}`],
    ["dollars", cost === null ? "" : number(cost)],
    ["templates", Object.entries(templates).map(([name, digest]) => `${name} ${digest.slice(0, 12)}`).join(", ")],
  ];
  return (
    <dl class="facts">
      {facts.filter(([, said]) => said).map(([name, said]) => (
        <>
          <dt>{name}</dt>
          <dd>{said}</dd>
        </>
      ))}
    </dl>
  );
}

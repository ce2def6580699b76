/** How fast correct kernels are, and how many are faster than any factor. */
import { GpuChoice, gpuOf } from "../gpu_choice";
import { Choice } from "../choice";
import { hue } from "../colours";
import type { Page } from "../data";
import { DistributionFigure } from "../distribution";
import { withQuery } from "../formats";
import { Heading } from "../heading";
import { IntervalFigure } from "../intervals";
import { times } from "../log_axis";
import { LinesFigure } from "../lines";
import { Loaded } from "../loaded";
import { PageBody } from "../page";
import type { Filter } from "../rows";
import { known, methodAt, only, spans, tableNamed, wordsOf } from "../rows";
import type { ViewProps } from "./all";

const DRAWN = ["by_method", "distribution", "fast_p_curve", "efficiency", "paired"];

export function SpeedView(props: ViewProps) {
  return (
    <>
      <Heading>Speed</Heading>
      <Loaded name="pages/speed">{(page: Page) => <Body page={page} {...props} />}</Loaded>
    </>
  );
}

function Body({ index, route, page }: ViewProps & { page: Page }) {
  const chosen = (key: string) => {
    const words = wordsOf(page.tables, key);
    const wanted = route.query.get(key) ?? "";
    return { words, word: words.includes(wanted) ? wanted : (words[0] ?? "") };
  };
  const [baseline, composition] = [chosen("baseline"), chosen("composition")];
  const wanted = { gpu: gpuOf(index, route), baseline: baseline.word, composition: composition.word };
  const go = (changed: Record<string, string>) => {
    location.hash = withQuery("#/speed", { ...Object.fromEntries(route.query), ...changed });
  };
  return (
    <>
      <div class="choices">
        <Choice name="Over" options={baseline.words} value={baseline.word} change={(word) => go({ baseline: word })} />
        <Choice name="Composition" options={composition.words} value={composition.word} change={(word) => go({ composition: word })} />
        <GpuChoice index={index} route={route} />
      </div>
      <PageBody name="speed" wanted={wanted} drawn={DRAWN}>
        {() => <Pictures index={index} page={page} wanted={wanted} />}
      </PageBody>
    </>
  );
}

interface PictureProps {
  index: ViewProps["index"];
  page: Page;
  wanted: Filter;
}

function Pictures({ index, page, wanted }: PictureProps) {
  const table = (name: string) => {
    const found = tableNamed(page, name);
    return found ? only(found, wanted) : undefined;
  };
  const colour = (name: string) => hue(methodAt(index, name));
  const [means, spread, curve, reached] = ["by_method", "distribution", "fast_p_curve", "efficiency"].map(table);
  const baseline = wanted.baseline ?? "";
  const line = { label: (one: { row: Record<string, unknown> }) => String(one.row.method), colour: (one: { row: Record<string, unknown> }) => colour(String(one.row.method)) };
  return (
    <>
      {means && (
        <>
          <IntervalFigure
            title="Speedup by method"
            says={`${spans(known(means, "speedup"))}; geometric means with 95 % intervals over tasks. The dashed line is as fast as the baseline.`}
            table={means} rows={known(means, "speedup")} {...line} form="ratio" axis={`speedup over ${baseline} →`} border={1}
          />
          <IntervalFigure
            title={`Share slower than ${baseline}`}
            says={`${spans(known(means, "slower"))}; slower: the whole interval of a kernel is below. Lines are 95 % intervals over tasks.`}
            table={means} rows={known(means, "slower")} {...line} form="percent" axis="share slower →"
          />
        </>
      )}
      {spread && <DistributionFigure table={spread} colour={colour} baseline={baseline} />}
      {curve && (
        <LinesFigure
          title="fast_p: correct and more than p times as fast"
          says={`${spans(known(curve, "share"))}, including wrong and broken ones; bands or upright lines are 95 % intervals over tasks. fast_0, which has no place on this scale, is in the table.`}
          table={curve} rows={known(curve, "share").filter(({ row }) => Number(row.p) > 0)} along="p" name="method" colour={colour} form="percent"
          alongLabel="p" label="share of all attempts" continuous alongLog alongText={times} falls
        />
      )}
      {reached && (
        <IntervalFigure
          title="Score: how close to the peaks of the GPU"
          says={`${spans(known(reached, "score"))}; lines are 95 % intervals over tasks.`}
          table={reached} rows={known(reached, "score")} {...line} form="percent" axis="share of the peak →"
        />
      )}
    </>
  );
}

/** The tasks, or those of one category and method. */
import { useState } from "preact/hooks";
import { GpuChoice, gpuOf } from "../gpu_choice";
import { Choice } from "../choice";
import type { Cell, Index, Table, Value } from "../data";
import { address, counted, withQuery } from "../formats";
import { Heading } from "../heading";
import { DataTable } from "../table";
import type { ViewProps } from "./all";

function summed(cells: Cell[]) {
  const best = cells.reduce<Cell | null>(
    (kept, cell) => ((cell.speedup ?? -1) > (kept?.speedup ?? -1) ? cell : kept),
    null,
  );
  const sum = (key: "attempts" | "n" | "called" | "correct" | "faster") =>
    cells.reduce((total, cell) => total + cell[key], 0);
  return [sum("n"), sum("called"), sum("correct"), sum("faster"), best?.speedup ?? null, sum("attempts")];
}

interface Wanted {
  category: string;
  method: string;
  gpu: string;
}

function tableOf(index: Index, { category, method, gpu }: Wanted): Table {
  const byTask = new Map<number, Cell[]>();
  for (const cell of index.cells) {
    if (index.gpus[cell.gpu] !== gpu) continue;
    if (method && index.methods[cell.method] !== method) continue;
    byTask.set(cell.task, [...(byTask.get(cell.task) ?? []), cell]);
  }
  const rows: Value[][] = [];
  index.tasks.forEach((facts, at) => {
    const cells = byTask.get(at);
    if (!cells || (category && facts.category !== category)) return;
    const told = [facts.category, facts.difficulty || null, facts.dtypes.join(" "), facts.grade];
    rows.push([facts.task, ...summed(cells), ...told]);
  });
  return {
    name: "tasks",
    title: "Tasks",
    about:
      "Attempts kept at the end that count (void ones do not), how many of them ran, were correct, and were measurably faster than eager; the best speedup over eager by device time is of any round.",
    columns: [
      { key: "task", title: "Task", form: "text" },
      { key: "n", title: "Kept", form: "count" },
      { key: "called", title: "Ran", form: "count" },
      { key: "correct", title: "Correct", form: "count" },
      { key: "faster", title: "Faster", form: "count" },
      { key: "best", title: "Best", form: "ratio" },
      { key: "attempts", title: "All attempts", form: "count" },
      { key: "category", title: "Category", form: "text" },
      { key: "difficulty", title: "Difficulty", form: "count" },
      { key: "dtypes", title: "Dtypes", form: "text" },
      { key: "grade", title: "Grade", form: "text" },
    ],
    rows,
    notes: [],
  };
}

export function TasksView({ index, route }: ViewProps) {
  const [part, setPart] = useState("");
  const category = route.query.get("category") ?? "";
  const method = route.query.get("method") ?? "";
  const whole = tableOf(index, { category, method, gpu: gpuOf(index, route) });
  const table = { ...whole, rows: whole.rows.filter((row) => String(row[0]).includes(part)) };
  const go = (changed: Record<string, string>) => {
    const query = { ...Object.fromEntries(route.query), ...changed };
    const kept = Object.fromEntries(Object.entries(query).filter(([, value]) => value));
    location.hash = withQuery("#/tasks", kept);
  };
  const named = [category, method].filter(Boolean).join(", ");
  return (
    <>
      <Heading>{named ? `Tasks: ${named}` : "Tasks"}</Heading>
      <div class="choices">
        <Choice name="Category" all="all categories" options={index.categories} value={category}
          change={(value) => go({ category: value })} />
        <Choice name="Method" all="all methods" options={index.methods} value={method}
          change={(value) => go({ method: value })} />
        <GpuChoice index={index} route={route} />
        <label>
          Name contains
          <input type="search" value={part} onInput={(event) => setPart(event.currentTarget.value)} />
        </label>
      </div>
      <p class="quiet" aria-live="polite">{counted(table.rows.length, "task")}.</p>
      <DataTable
        table={table}
        link={(row, column) =>
          column.key === "task"
            ? withQuery(address("task", String(row[0])), method ? { method } : {})
            : undefined
        }
      />
    </>
  );
}

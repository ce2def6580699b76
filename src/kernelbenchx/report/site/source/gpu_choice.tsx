/** Which GPU a view is about: numbers of several are never mixed. */
import type { Index } from "./data";
import { withQuery } from "./formats";
import type { Route } from "./route";
import { Choice } from "./choice";

export function gpuOf(index: Index, route: Route): string {
  const wanted = route.query.get("gpu") ?? "";
  return index.gpus.includes(wanted) ? wanted : (index.gpus[0] ?? "");
}

/** For links: the GPU matters only where there are several. */
export function gpuQuery(index: Index, gpu: string): Record<string, string> {
  return index.gpus.length > 1 ? { gpu } : {};
}

export function GpuChoice({ index, route }: { index: Index; route: Route }) {
  if (index.gpus.length < 2) return null;
  const change = (gpu: string) => {
    const query = { ...Object.fromEntries(route.query), gpu };
    location.hash = withQuery(`#/${route.parts.map(encodeURIComponent).join("/")}`, query);
  };
  return <Choice name="GPU" options={index.gpus} value={gpuOf(index, route)} change={change} />;
}

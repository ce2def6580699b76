/** A view that waits for its data. */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { load } from "./data";

type State<T> = { name: string; document?: T; error?: string };

export function useLoaded<T>(name: string): State<T> {
  const [state, setState] = useState<State<T>>({ name });
  useEffect(() => {
    let wanted = true;
    load<T>(name).then(
      (document) => wanted && setState({ name, document }),
      (error: Error) => wanted && setState({ name, error: error.message }),
    );
    return () => {
      wanted = false;
    };
  }, [name]);
  return state.name === name ? state : { name };
}

interface Props<T> {
  name: string;
  children: (document: T) => ComponentChildren;
}

export function Loaded<T>({ name, children }: Props<T>) {
  const { document, error } = useLoaded<T>(name);
  if (error) return <p class="trouble">{error}</p>;
  if (document === undefined) return <p class="quiet" aria-busy="true">Loading …</p>;
  return <>{children(document)}</>;
}

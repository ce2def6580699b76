/** Starts the report: the frame around every view, and which view an address means. */
import "./style.css";
import { render } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Index } from "./data";
import { put } from "./data";
import { Loaded } from "./loaded";
import { useRoute } from "./route";
import { ThemeButton } from "./theme";
import { VIEWS, viewOf } from "./views/all";
import { Absent } from "./views/unknown";

declare global {
  interface Window {
    kbx: { put: typeof put };
  }
}

window.kbx = { put };

function App() {
  return <Loaded name="index">{(index: Index) => <Frame index={index} />}</Loaded>;
}

function Frame({ index }: { index: Index }) {
  const route = useRoute();
  const here = route.parts[0] ?? "";
  const view = viewOf(here);
  const main = useRef<HTMLElement>(null);
  const address = route.parts.join("/");
  const started = useRef(false);
  useEffect(() => {
    const heading = main.current?.querySelector<HTMLElement>("h1");
    document.title = `${heading?.textContent ?? view.title} · KernelBench-X`;
    // The first view leaves the focus where the browser put it.
    if (started.current) {
      scrollTo(0, 0);
      heading?.focus();
    }
    started.current = true;
  }, [address]);
  const Body = view.body;
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => skip(event, main.current)}>
        Skip to the content
      </a>
      <header class="top">
        <div>
          <a class="brand" href="#/">KernelBench-X report</a>
          <ThemeButton />
          <nav aria-label="Views">
            <ul>
              {VIEWS.filter((one) => one.listed && one.there(index)).map((one) => (
                <li>
                  <a href={`#/${one.name}`} aria-current={one === view ? "page" : undefined}>
                    {one.title}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        </div>
      </header>
      <main ref={main} id="main" data-address={location.hash}>
        {view.there(index) ? <Body key={address} index={index} route={route} /> : <Absent title={view.title} />}
      </main>
      <footer>
        Made {index.made.replace("T", " ").replace("+00:00", " UTC")} by kernelbenchx {index.version}.
        Everything on these pages is in this folder; nothing is loaded from the network.
      </footer>
    </>
  );
}

/** The address is taken by the views: the link moves the focus itself. */
function skip(event: Event, main: HTMLElement | null): void {
  event.preventDefault();
  main?.querySelector<HTMLElement>("h1")?.focus();
}

const place = document.getElementById("app");
if (place) {
  place.replaceChildren();
  render(<App />, place);
}

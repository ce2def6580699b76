/** Every view with its address. */
import type { ComponentType } from "preact";
import type { Index } from "../data";
import type { Route } from "../route";
import { AboutView } from "./about";
import { ClaimsView } from "./claims";
import { CompareView } from "./compare";
import { CostView } from "./cost";
import { FailuresView } from "./failures";
import { HardwareView } from "./hardware";
import { LeaderboardView } from "./leaderboard";
import { LevelsView } from "./levels";
import { MapView } from "./map";
import { Overview } from "./overview";
import { PapersView } from "./papers";
import { PublishedView } from "./published";
import { RooflineView } from "./roofline";
import { RoundsView } from "./rounds";
import { ScopesView } from "./scopes";
import { SpeedView } from "./speed";
import { SubmissionView } from "./submission";
import { TaskView } from "./task";
import { TasksView } from "./tasks";
import { Unknown } from "./unknown";
import { VarianceView } from "./variance";

export interface ViewProps {
  index: Index;
  route: Route;
}

interface View {
  name: string;
  title: string;
  body: ComponentType<ViewProps>;
  listed: boolean;
  there: (index: Index) => boolean;
}

const always = () => true;
const hasTasks = (index: Index) => index.tasks.length > 0;

/** A view that is listed where the analysis had something to say. */
function page(name: string, title: string, body: ComponentType<ViewProps>, data = name): View {
  return { name, title, body, listed: true, there: (index) => index.pages.includes(data) };
}

function inner(name: string, title: string, body: ComponentType<ViewProps>): View {
  return { name, title, body, listed: false, there: always };
}

const UNKNOWN = inner("", "Not found", Unknown);

export const VIEWS: View[] = [
  { name: "", title: "Overview", body: Overview, listed: true, there: always },
  page("claims", "Claims", ClaimsView),
  page("map", "Capability map", MapView, "rates"),
  page("leaderboard", "Leaderboard", LeaderboardView, "rates"),
  page("levels", "Levels", LevelsView),
  page("papers", "Beside the papers", PapersView),
  page("scopes", "Scopes", ScopesView),
  page("speed", "Speed", SpeedView),
  page("roofline", "Roofline", RooflineView),
  page("rounds", "Rounds and samples", RoundsView),
  page("hardware", "Hardware", HardwareView),
  page("failures", "Failures", FailuresView),
  page("cost", "Cost", CostView),
  page("variance", "Variance", VarianceView),
  {
    name: "compare", title: "Compare", body: CompareView, listed: true,
    there: (index) => index.methods.length > 1 && hasTasks(index),
  },
  { name: "tasks", title: "Tasks", body: TasksView, listed: true, there: hasTasks },
  page("published", "Tables of the paper", PublishedView),
  { name: "about", title: "About this run", body: AboutView, listed: true, there: always },
  inner("task", "Task", TaskView),
  inner("submission", "Submission", SubmissionView),
];

export function viewOf(name: string): View {
  return VIEWS.find((view) => view.name === name) ?? UNKNOWN;
}

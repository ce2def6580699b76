/** Light, dark, or as the system says. */
import { useEffect, useState } from "preact/hooks";

const CHOICES = ["auto", "light", "dark"] as const;
type Choice = (typeof CHOICES)[number];

function remembered(): Choice {
  try {
    const kept = localStorage.getItem("kbx-theme");
    return CHOICES.find((one) => one === kept) ?? "auto";
  } catch {
    return "auto"; // some browsers refuse storage to pages from disk
  }
}

function remember(choice: Choice): void {
  try {
    localStorage.setItem("kbx-theme", choice);
  } catch {
    // only this visit, then
  }
}

export function ThemeButton() {
  const [choice, setChoice] = useState<Choice>(remembered);
  useEffect(() => {
    document.documentElement.dataset.theme = choice;
  }, [choice]);
  const next = CHOICES[(CHOICES.indexOf(choice) + 1) % CHOICES.length] ?? "auto";
  const change = () => {
    remember(next);
    setChoice(next);
  };
  return (
    <button type="button" class="theme" onClick={change} title={`Change to ${next}`}>
      <span class="quiet">Theme:</span> {choice}
    </button>
  );
}

/** One of several, with its name above. */
interface Props {
  name: string;
  all?: string;
  options: string[];
  value: string;
  change: (value: string) => void;
  /** The name is for screen readers only: what stands beside it says the same. */
  hidden?: boolean;
}

export function Choice({ name, all, options, value, change, hidden = false }: Props) {
  return (
    <label>
      {!hidden && name}
      <select aria-label={hidden ? name : undefined} value={value} onChange={(event) => change(event.currentTarget.value)}>
        {all !== undefined && <option value="">{all}</option>}
        {options.map((option) => (
          <option value={option}>{option}</option>
        ))}
      </select>
    </label>
  );
}

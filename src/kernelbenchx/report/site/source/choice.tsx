/** One of several, with its name above. */
interface Props {
  name: string;
  all?: string;
  options: string[];
  value: string;
  change: (value: string) => void;
}

export function Choice({ name, all, options, value, change }: Props) {
  return (
    <label>
      {name}
      <select value={value} onChange={(event) => change(event.currentTarget.value)}>
        {all !== undefined && <option value="">{all}</option>}
        {options.map((option) => (
          <option value={option}>{option}</option>
        ))}
      </select>
    </label>
  );
}

// A threshold to play with: a slider, and a field for the exact number.
import { useId } from 'preact/hooks'
import { symbolOf } from '../../../parts/text/number.ts'

export interface ThresholdFieldProps {
  readonly label: string
  readonly unit?: string
  readonly value: number | null
  /** The value of today. */
  readonly current: number | null
  readonly min: number
  /** The largest value of the slider; the field takes up to `numberMax`. */
  readonly max: number
  readonly numberMax: number
  readonly step: number
  readonly help?: string
  readonly currentText: string
  readonly onChange: (value: number) => void
}

export function ThresholdField(props: ThresholdFieldProps) {
  const { label, unit, value, current, min, max, numberMax, step, onChange } = props
  const id = useId()
  const isChanged = value !== current
  function change(input: HTMLInputElement): void {
    const { valueAsNumber } = input
    if (Number.isInteger(valueAsNumber) && valueAsNumber >= min && valueAsNumber <= numberMax) {
      onChange(valueAsNumber)
    }
  }
  return (
    <div class={isChanged ? 'threshold is-changed' : 'threshold'}>
      <label for={id}>{label}</label>
      <input
        id={id}
        type="range"
        min={min}
        max={max}
        step={step}
        value={value ?? max}
        aria-valuetext={value === null ? '–' : `${value} ${symbolOf(unit ?? '')}`}
        aria-describedby={`${id}-help`}
        onInput={({ currentTarget }) => change(currentTarget)}
      />
      <span class="with-unit">
        <input
          type="number"
          inputMode="numeric"
          aria-label={label}
          min={min}
          max={numberMax}
          value={value ?? ''}
          placeholder="–"
          onInput={({ currentTarget }) => change(currentTarget)}
        />
        {unit && <span class="unit">{symbolOf(unit)}</span>}
      </span>
      <p id={`${id}-help`} class="help">
        {isChanged && <strong>{props.currentText} </strong>}
        {props.help}
      </p>
    </div>
  )
}

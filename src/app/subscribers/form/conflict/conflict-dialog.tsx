import { useId, useState } from 'react';
import type { SubscriberInput } from '../../../../contract/service/subscriber-input.ts';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { fieldText } from '../../fields/field-text.ts';
import { fieldLabels } from '../../fields/field-labels.ts';
import {
  differencesOf,
  merge,
  valueOf,
  type Choices,
  type Difference,
  type FieldName,
  type Side,
  type Versions,
} from './merge.ts';
import styles from './conflict-dialog.module.css';

/** Every field in which two versions differ. What only one of the two changed is kept; for the rest a person chooses. */
export function ConflictDialog(props: {
  name: string;
  /** Who saved meanwhile, as far as it is known. */
  changer: string;
  versions: Versions;
  answer: (merged: SubscriberInput | null) => void;
}) {
  const { versions } = props;
  const [choices, setChoices] = useState<Choices>({});
  const differences = differencesOf(versions);
  const open = differences.filter(({ name, changedBy }) => changedBy === 'both' && !choices[name]);
  const reason =
    open.length > 0
      ? `Choose for ${open.map(({ name }) => fieldLabels[name]).join(', ')} whose value is saved.`
      : undefined;
  return (
    <Dialog
      title={`Somebody else changed ${props.name} meanwhile`}
      onClose={() => props.answer(null)}
      actions={
        <>
          <Button onClick={() => props.answer(null)}>Back to the form</Button>
          <Button look="primary" reason={reason} onClick={() => props.answer(merge(versions, choices))}>
            Save both
          </Button>
        </>
      }
    >
      <p>
        {props.changer} saved while you were editing. Nothing of yours is saved yet. What only one of you
        changed is kept. Where you both changed the same, choose.
      </p>
      {differences.map((difference) => (
        <DifferenceCard
          key={difference.name}
          difference={difference}
          versions={versions}
          chosen={choices[difference.name]}
          onChoose={(side) => setChoices({ ...choices, [difference.name]: side })}
        />
      ))}
    </Dialog>
  );
}

const headings = { theirs: 'They changed it', mine: 'You changed it', both: 'You both changed it' };

function DifferenceCard(props: {
  difference: Difference;
  versions: Versions;
  chosen: Side | undefined;
  onChoose: (side: Side) => void;
}) {
  const { versions, chosen, onChoose } = props;
  const { name, changedBy } = props.difference;
  const group = useId();
  const sides = sidesOf(name, changedBy, versions);
  const choice = (side: Side) => (
    <label key={side} className={styles.side}>
      <input type="radio" name={group} checked={chosen === side} onChange={() => onChoose(side)} />
      <Value name={sideNames[side]} text={fieldText(name, valueOf(versions, name, side))} />
    </label>
  );
  return (
    <fieldset className={styles.card} data-open={(changedBy === 'both' && !chosen) || undefined}>
      <legend>{fieldLabels[name]}</legend>
      <p className={styles.who}>{headings[changedBy]}.</p>
      <Value name="Before" text={fieldText(name, versions.base[name])} />
      {changedBy === 'both'
        ? sides.map(choice)
        : sides.map((side) => (
            <Value key={side} name="Saved" text={fieldText(name, valueOf(versions, name, side))} />
          ))}
    </fieldset>
  );
}

const sideNames = { theirs: 'Theirs', mine: 'Yours', both: 'Both' };

function sidesOf(name: FieldName, changedBy: Difference['changedBy'], { mine }: Versions): Side[] {
  if (changedBy !== 'both') return [changedBy];
  return Array.isArray(mine[name]) ? ['theirs', 'mine', 'both'] : ['theirs', 'mine'];
}

function Value({ name, text }: { name: string; text: string }) {
  return (
    <span className={styles.value}>
      <span>{name}</span> <span>{text}</span>
    </span>
  );
}

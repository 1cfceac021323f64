import { useState } from 'react';
import { endpoints } from 'virtual:endpoints';
import { useCall } from '../http/use-call.ts';
import { useSettled } from '../http/use-settled.ts';

interface Choice {
  readonly value: string;
  readonly label: string;
}

interface MerchantChoices {
  readonly options: readonly Choice[];
  readonly onSearch: (text: string) => void;
  readonly onChange: (value: unknown) => void;
}

const SHOWN = 20;

/** Merchants whose name, account or id the server finds by the typed text. The chosen one stays among them, so that its name stays. */
export function useMerchantChoices(): MerchantChoices {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<Choice>();
  const asked = useSettled(text.trim());
  const isId = /^\d{4,19}$/.test(asked);
  const by = asked === '' ? {} : isId ? { id: asked } : { name: asked };
  const { data } = useCall(
    endpoints.party.getMerchantList,
    { pageSize: SHOWN, ...by },
    { keepPrevious: true },
  );
  const found = (data?.list ?? []).map(({ id, name }) => ({ value: id, label: `${id} · ${name}` }));
  const isFound = found.some(({ value }) => value === chosen?.value);
  return {
    options: chosen && !isFound ? [chosen, ...found] : found,
    onSearch: setText,
    onChange: (value) => setChosen(found.find((each) => each.value === value) ?? chosen),
  };
}

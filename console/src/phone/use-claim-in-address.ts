import { useEffect, useState } from 'preact/hooks';

const NAME = 'claim';
const read = () => new URLSearchParams(location.search).get(NAME) ?? undefined;

/** The open claim, stored in the address: a reload reopens it, and the phone's Back closes it. */
export function useClaimInAddress() {
  const [claim, setClaim] = useState(read);
  useEffect(() => {
    const look = () => setClaim(read());
    addEventListener('popstate', look);
    return () => removeEventListener('popstate', look);
  }, []);
  return {
    claim,
    open: (orderCode: string) => {
      history.pushState({ opened: true }, '', `?${new URLSearchParams({ [NAME]: orderCode })}`);
      setClaim(orderCode);
    },
    close: () => {
      if ((history.state as { opened?: true } | null)?.opened) history.back();
      else history.replaceState(null, '', location.pathname);
      setClaim(undefined);
    },
  };
}

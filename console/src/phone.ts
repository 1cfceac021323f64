import './app.css';
import { startPhone } from './phone/start.tsx';

/** The first script of the supplier's phone; the console's is main.ts. */
startPhone(document.getElementById('root')!, document.getElementById('entry')!);

import { parentPort, workerData } from 'node:worker_threads';
import { readQrPicture } from './qr-picture.ts';

/** The thread for one picture (qr-reader.ts): it reads the bytes, answers and ends. */
parentPort!.postMessage(await readQrPicture(Buffer.from(workerData as Uint8Array)));

/** Loads every language, for tests. */

import { LANGUAGES, loadTexts, needOfficeTexts } from "./catalogue";

needOfficeTexts();
await Promise.all(LANGUAGES.map(loadTexts));

/** Whether more of the answer may come. Not told to the fence renderer: a new renderer draws every block anew. */
"use client";
import { createContext } from "react";

export const AnswerGrows = createContext(false);

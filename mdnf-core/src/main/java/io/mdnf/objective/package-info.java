/** Objectives: what is made large (or small) when a posterior is fitted, and of what each is a bound. */
package io.mdnf.objective;

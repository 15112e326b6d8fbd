/** One gradient training and what carries any run through kills: stop rules, listeners, schedules. */
package io.mdnf.training;

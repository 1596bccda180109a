/** What talks to the program: one process {@code cspsym api}, and the JSON of its requests. */
package cspsym.client;
